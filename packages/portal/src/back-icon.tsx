import { Icon } from '@gatehouse/ui/icons/icons.tsx'

/** An arrow before a link that leads back. */
export const BackIcon = () => (
  <Icon>
    <path d="M15 9H3.5M8 4 3 9l5 5" />
  </Icon>
)
