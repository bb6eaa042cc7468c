import type { ComponentProps } from 'react'

type FormProps = Omit<ComponentProps<'form'>, 'method' | 'action' | 'style' | 'onSubmit'> & {
  /** Sends it by a script. Without, the browser goes on posting it. */
  send: ((form: HTMLFormElement) => void) | undefined
}

/** A form that the page's script sends. Until that has come the browser posts it to the page it is on, so that nothing typed gets into an address. */
export const Form = ({ send, ...form }: FormProps) => (
  <form
    {...form}
    method="post"
    onSubmit={event => {
      if (!send) return
      event.preventDefault()
      send(event.currentTarget)
    }}
  />
)
