import type { ReactNode } from 'react'

/** The `svg` element of every icon: in the text color, hidden from screen readers. */
export const Icon = ({ size = 18, className, children }: { size?: number; className?: string | undefined; children: ReactNode }) => (
  <svg
    className={className}
    width={size}
    height={size}
    viewBox="0 0 18 18"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.6"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    {children}
  </svg>
)

export const TickIcon = () => (
  <Icon>
    <path d="M3.5 9.5 7.2 13.2 14.5 5" strokeWidth="2" />
  </Icon>
)

export const AlertIcon = ({ size = 18 }: { size?: number }) => (
  <Icon size={size}>
    <circle cx="9" cy="9" r="7.2" />
    <path d="M9 5.2v4.4" strokeWidth="1.8" />
    <path d="M9 12.6v.01" strokeWidth="2.2" />
  </Icon>
)

export const KeyIcon = () => (
  <Icon>
    <path d="M9 9h7.4v3.2M13 9v2.4M9 9a3.6 3.6 0 1 1-7.2 0A3.6 3.6 0 0 1 9 9Z" />
  </Icon>
)

export const PhoneIcon = () => (
  <Icon>
    <rect x="4.6" y="1.6" width="8.8" height="14.8" rx="2" />
    <path d="M8 13.6h2" />
  </Icon>
)

export const EyeIcon = () => (
  <Icon>
    <path d="M1.4 9S4.2 3.9 9 3.9 16.6 9 16.6 9 13.8 14.1 9 14.1 1.4 9 1.4 9Z" />
    <circle cx="9" cy="9" r="2.3" />
  </Icon>
)

export const EyeOffIcon = () => (
  <Icon>
    <path d="M5 4.9C2.7 6.3 1.4 9 1.4 9S4.2 14.1 9 14.1c1.5 0 2.8-.5 3.9-1.1M7.5 4c.5-.1 1-.1 1.5-.1C13.8 3.9 16.6 9 16.6 9s-.6 1.1-1.7 2.3" />
    <path d="M7.4 7.4a2.3 2.3 0 0 0 3.2 3.2M2.5 2.5l13 13" />
  </Icon>
)
