import { useEffect, useRef } from 'react'
import { Field, type FieldProps } from './field.tsx'

type DebouncedFieldProps = Omit<FieldProps, 'onChange' | 'onInput' | 'value'> & {
  /** Receives the text when the user pauses; immediately on Enter or when the field loses the focus. */
  onSettled: (text: string) => void
  /** How long the user must pause, in milliseconds. Default: 300 (§9). */
  delayMs?: number
}

const defaultDelayMs = 300

/** A field that reports its text when the user pauses. It is uncontrolled: `defaultValue` is its initial text. */
export const DebouncedField = ({ onSettled, delayMs = defaultDelayMs, ...field }: DebouncedFieldProps) => {
  const waiting = useRef<{ text: string; timer: ReturnType<typeof setTimeout> } | undefined>(undefined)
  const settled = useRef(onSettled)
  useEffect(() => {
    settled.current = onSettled
  })
  useEffect(() => () => clearTimeout(waiting.current?.timer), [])

  const settle = () => {
    if (!waiting.current) return
    clearTimeout(waiting.current.timer)
    const { text } = waiting.current
    waiting.current = undefined
    settled.current(text)
  }

  return (
    <Field
      {...field}
      onInput={({ currentTarget }) => {
        clearTimeout(waiting.current?.timer)
        waiting.current = { text: currentTarget.value, timer: setTimeout(settle, delayMs) }
      }}
      onBlur={event => {
        settle()
        field.onBlur?.(event)
      }}
      onKeyDown={event => {
        if (event.key === 'Enter') settle()
        field.onKeyDown?.(event)
      }}
    />
  )
}
