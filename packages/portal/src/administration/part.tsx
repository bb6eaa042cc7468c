import { type ReactNode, useId } from 'react'
import styles from './administration.module.css'

/** A part of a user's page, under a heading. */
export const Part = ({ title, children }: { title: string; children: ReactNode }) => {
  const id = useId()
  return (
    <section className={styles.part} aria-labelledby={id}>
      <h2 className={styles.partTitle} id={id}>
        {title}
      </h2>
      {children}
    </section>
  )
}
