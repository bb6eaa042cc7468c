import { type ComponentProps, type ReactNode, useId } from 'react'
import styles from './field.module.css'
import { AlertIcon } from './icons.tsx'

export type FieldProps = Omit<ComponentProps<'input'>, 'className' | 'style' | 'id'> & {
  label: string
  /** Shown below the field and read out with it. */
  error?: string | undefined
  /** A small button at the end of the field. */
  trailing?: ReactNode
}

/** A labelled input with its error below. */
export const Field = ({ label, error, trailing, ...input }: FieldProps) => {
  const id = useId()
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.box}>
        <input
          {...input}
          id={id}
          className={`${styles.input} ${trailing ? styles.withToggle : ''}`}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
        />
        {trailing}
      </div>
      {error && (
        <p className={styles.error} id={`${id}-error`}>
          <AlertIcon size={16} />
          {error}
        </p>
      )}
    </div>
  )
}
