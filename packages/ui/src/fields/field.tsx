import { type ComponentProps, type ReactNode, useId } from 'react'
import { AlertIcon } from '../icons/icons.tsx'
import styles from './field.module.css'

/** The properties of an input, with its label, caption and error. */
export type FieldProps = Omit<ComponentProps<'input'>, 'className' | 'style' | 'id'> & {
  label: string
  /** A muted word beside the label, such as 'Optional'. */
  caption?: string | undefined
  /** A further class of the input. */
  inputClass?: string | undefined
  /** Shown below the field; screen readers read it with the field. */
  error?: string | undefined
  /** A small button inside the field, at its end. */
  trailing?: ReactNode
}

/** A labeled input with its error below. */
export const Field = ({ label, caption, inputClass, error, trailing, ...input }: FieldProps) => {
  const id = useId()
  return (
    <div className={styles.field} data-part="field">
      <label className={styles.label} data-part="label" htmlFor={id}>
        {label}
        {/* The space separates label and caption in the accessible name. */}
        {caption && ' '}
        {caption && (
          <span className={styles.caption} data-part="caption">
            {caption}
          </span>
        )}
      </label>
      <div className={styles.box}>
        <input
          data-part="input"
          {...input}
          id={id}
          className={[styles.input, trailing && styles.withToggle, inputClass].filter(Boolean).join(' ')}
          aria-invalid={error ? true : input['aria-invalid']}
          aria-describedby={error ? `${id}-error` : undefined}
        />
        {trailing}
      </div>
      {error && (
        <p className={styles.error} data-part="field-error" id={`${id}-error`}>
          <AlertIcon size={16} />
          {error}
        </p>
      )}
    </div>
  )
}
