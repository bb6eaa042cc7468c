import type { ReactNode } from 'react'
import { AlertIcon } from '../icons/icons.tsx'
import styles from './banner.module.css'

/**
 * An error that concerns the whole page. The alert region always exists: a screen reader announces only changes in a region
 * that already exists.
 */
export const Banner = ({ children }: { children?: ReactNode }) => (
  <div role="alert">
    {children && (
      <div className={styles.banner} data-part="banner">
        <AlertIcon />
        <div>{typeof children === 'string' ? <p>{children}</p> : children}</div>
      </div>
    )}
  </div>
)
