import { Icon } from '@gatehouse/ui/icons/icons.tsx'
import styles from './back-icon.module.css'

/** An arrow before a link that leads back, against the direction of the text. */
export const BackIcon = () => (
  <Icon className={styles.back}>
    <path d="M15 9H3.5M8 4 3 9l5 5" />
  </Icon>
)
