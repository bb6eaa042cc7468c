import { type ComponentProps, useId } from 'react'
import { Icon } from '../icons/icons.tsx'
import styles from './select.module.css'

type SelectProps = Omit<ComponentProps<'select'>, 'className' | 'style' | 'id'> & { label: string }

/** A labeled native select; `children` are its options. */
export const Select = ({ label, children, ...select }: SelectProps) => {
  const id = useId()
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.box}>
        <select {...select} id={id} className={styles.select}>
          {children}
        </select>
        <span className={styles.arrow}>
          <Icon>
            <path d="m4.5 7 4.5 4.5L13.5 7" />
          </Icon>
        </span>
      </div>
    </div>
  )
}
