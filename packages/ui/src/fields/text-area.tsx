import { type ComponentProps, useId } from 'react'
import { AlertIcon } from '../icons/icons.tsx'
import field from './field.module.css'
import styles from './text-area.module.css'

type TextAreaProps = Omit<ComponentProps<'textarea'>, 'className' | 'style' | 'id'> & {
  label: string
  /** Muted words beside the label, such as 'One per line'. */
  caption?: string
  /** Shown below the field; screen readers read it with the field. */
  error?: string | undefined
}

/** A labeled field of several lines, with its error below. */
export const TextArea = ({ label, caption, error, ...area }: TextAreaProps) => {
  const id = useId()
  return (
    <div className={field.field}>
      <label className={field.label} htmlFor={id}>
        {label} {caption && <span className={field.caption}>{caption}</span>}
      </label>
      <textarea
        {...area}
        id={id}
        className={`${field.input} ${styles.area}`}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
      />
      {error && (
        <p className={field.error} id={`${id}-error`}>
          <AlertIcon size={16} />
          {error}
        </p>
      )}
    </div>
  )
}
