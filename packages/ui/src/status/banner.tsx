import type { ReactNode } from 'react'
import { AlertIcon } from '../icons/icons.tsx'
import styles from './banner.module.css'

/**
 * An error about the whole page. The alert region is there from the start, for a screen reader announces only what
 * changes in a region that it knows.
 */
export const Banner = ({ children }: { children?: ReactNode }) => (
  <div role="alert">
    {children && (
      <div className={styles.banner}>
        <AlertIcon />
        <div>{typeof children === 'string' ? <p>{children}</p> : children}</div>
      </div>
    )}
  </div>
)
