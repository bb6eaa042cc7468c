import { type RefObject, useEffect } from 'react'
import { Field, type FieldProps } from './field.tsx'

type CodeFieldProps = Pick<FieldProps, 'label' | 'error' | 'readOnly' | 'onInput'> & {
  ref: RefObject<HTMLInputElement | null>
  /** Whether it takes the focus when it appears. */
  focused?: boolean
}

const length = 6

/**
 * One field for the six digits of a verification code, as password managers and phones look for it. Spaces and dashes of
 * a pasted code are taken out before the length is limited: `' 012 345 '` becomes `012345`.
 */
export const CodeField = ({ ref, focused, onInput, ...field }: CodeFieldProps) => {
  useEffect(() => {
    const input = ref.current
    if (!input) return
    // Not before: a code with a gap in its middle would be cut off, where no script takes the gap out.
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
      {...field}
      ref={ref}
      look="code"
      type="text"
      name="otp"
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern="[0-9]{6}"
      autoCapitalize="off"
      autoCorrect="off"
      spellCheck={false}
      enterKeyHint="go"
      autoFocus={focused}
      required
      onInput={event => {
        // What a manager fills in comes without being typed.
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

/** A whole code takes the place of all that is there, anything else that of what is selected. */
const insert = (input: HTMLInputElement, text: string) => {
  if (text === '') return
  const whole = text.length >= length
  const start = whole ? 0 : (input.selectionStart ?? 0)
  const end = whole ? input.value.length : (input.selectionEnd ?? start)
  const fitting = text.slice(0, length - (input.value.length - (end - start)))
  input.setSelectionRange(start, end)
  // Old, and the only insertion that can be undone.
  if (document.execCommand?.('insertText', false, fitting)) return
  input.setRangeText(fitting, start, end, 'end')
  input.dispatchEvent(new InputEvent('input', { bubbles: true, data: fitting, inputType: 'insertFromPaste' }))
}
