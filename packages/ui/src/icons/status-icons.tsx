import { Icon } from './icons.tsx'

// A separate file, because icons.tsx is part of the first load.

export const CloseIcon = () => (
  <Icon size={16}>
    <path d="m4 4 10 10M14 4 4 14" />
  </Icon>
)

export const InfoIcon = () => (
  <Icon>
    <circle cx="9" cy="9" r="7.2" />
    <path d="M9 8.6v4.2" strokeWidth="1.8" />
    <path d="M9 5.5v.01" strokeWidth="2.2" />
  </Icon>
)

export const SuccessIcon = () => (
  <Icon>
    <circle cx="9" cy="9" r="7.2" />
    <path d="m5.8 9.3 2.2 2.2 4.2-4.7" />
  </Icon>
)

export const WarningIcon = () => (
  <Icon>
    <path d="M9 2.2 16.5 15.2h-15z" />
    <path d="M9 7v3.8" strokeWidth="1.8" />
    <path d="M9 13v.01" strokeWidth="2.2" />
  </Icon>
)
