import { type RefObject, useLayoutEffect } from 'react'
import styles from './code-field.module.css'
import { Field, type FieldProps } from './field.tsx'

type CodeFieldProps = Pick<FieldProps, 'label' | 'error' | 'readOnly' | 'onInput'> & {
  ref: RefObject<HTMLInputElement | null>
  /** Whether the code is wrong. A banner shows the error. */
  isWrong?: boolean
  /** Whether the field takes the focus when it appears. */
  focused?: boolean
}

const length = 6

/** The look of a field for digits: large and monospaced. */
export const codeLook = styles.code

/**
 * One field for the six digits of a verification code, as password managers and phones expect it. It removes spaces and dashes
 * from a pasted code before it limits the length: `' 012 345 '` becomes `012345`.
 */
export const CodeField = ({ ref, isWrong, focused, onInput, ...field }: CodeFieldProps) => {
  // Not useEffect: the field has the focus before effects run, and accepts a paste.
  useLayoutEffect(() => {
    const input = ref.current
    if (!input) return
    // Set by the script. In the markup, the limit would cut off a pasted code that contains a space.
    input.maxLength = length
    const onBeforeInput = (event: InputEvent) => {
      const text = event.data ?? event.dataTransfer?.getData('text/plain') ?? ''
      if (!event.cancelable || (text.length < 2 && !separators.test(text))) return
      event.preventDefault()
      insert(input, strip(text))
    }
    input.addEventListener('beforeinput', onBeforeInput)
    return () => input.removeEventListener('beforeinput', onBeforeInput)
  }, [ref])

  return (
    <Field
      data-part="code-input"
      {...field}
      ref={ref}
      inputClass={codeLook}
      type="text"
      name="otp"
      inputMode="numeric"
      autoComplete="one-time-code"
      // Digits of every writing system: the form’s code can read them.
      pattern="\p{Nd}{6}"
      autoCapitalize="off"
      autoCorrect="off"
      spellCheck={false}
      enterKeyHint="go"
      autoFocus={focused}
      aria-invalid={isWrong || undefined}
      required
      onInput={event => {
        // Password managers set the value without a beforeinput event.
        const input = event.currentTarget
        if (separators.test(input.value)) input.value = strip(input.value)
        onInput?.(event)
      }}
      onClick={event => event.currentTarget.setSelectionRange(length, length)}
    />
  )
}

const separators = /[\s-]/
const strip = (text: string) => text.replace(/[\s-]/g, '')

/** A complete code replaces the whole value, shorter text only the selection. */
const insert = (input: HTMLInputElement, text: string) => {
  if (text === '') return
  const whole = text.length >= length
  const start = whole ? 0 : (input.selectionStart ?? 0)
  const end = whole ? input.value.length : (input.selectionEnd ?? start)
  const fitting = text.slice(0, length - (input.value.length - (end - start)))
  input.setSelectionRange(start, end)
  // Deprecated, but the only insertion that the user can undo.
  if (document.execCommand?.('insertText', false, fitting)) return
  input.setRangeText(fitting, start, end, 'end')
  input.dispatchEvent(new InputEvent('input', { bubbles: true, data: fitting, inputType: 'insertFromPaste' }))
}
