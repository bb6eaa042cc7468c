import type { ComponentProps } from 'react'

type FormProps = Omit<ComponentProps<'form'>, 'method' | 'action' | 'style' | 'onSubmit'> & {
  /** Sends the form. If undefined, the browser posts it. */
  send: ((form: HTMLFormElement) => void) | undefined
}

/**
 * A form that the page's script sends. Until the script has loaded, the browser posts it to the current page, so no input ends up
 * in an address.
 */
export const Form = ({ send, ...form }: FormProps) => (
  <form
    data-part="form"
    {...form}
    method="post"
    onSubmit={event => {
      if (!send) return
      event.preventDefault()
      send(event.currentTarget)
    }}
  />
)
