import { cssTransition, ToastContainer, toast as toastify } from 'react-toastify/unstyled'
import { AlertIcon, CloseIcon } from '../ui/icons.tsx'
import type { Toast, ToastWords } from './use-toasts.tsx'
import './toaster.css'

// Loaded by use-toasts.tsx when first needed. The unstyled build: the other one injects a <style>, which our policy forbids.

const fade = cssTransition({ enter: 'gatehouse-toast-enter', exit: 'gatehouse-toast-exit', collapse: false })

/** Where toasts appear. Errors stay until they are closed; nothing says how long a reader needs. */
export const Toaster = ({ region, close }: ToastWords) => (
  <ToastContainer
    className={({ defaultClassName = '' } = {}) => `${defaultClassName} gatehouse-toasts`}
    toastClassName={({ defaultClassName = '' } = {}) => `${defaultClassName} gatehouse-toast`}
    position="top-right"
    transition={fade}
    autoClose={false}
    hideProgressBar
    draggable={false}
    aria-label={region}
    closeButton={({ closeToast }) => (
      <button type="button" className="gatehouse-toast-close" aria-label={close} onClick={closeToast}>
        <CloseIcon />
      </button>
    )}
  />
)

/** Shows a toast, or updates the one with its id that is still showing (§2). */
export const show = (toast: Toast) => {
  const body = <Body {...toast} />
  if (toast.id !== undefined && toastify.isActive(toast.id)) toastify.update(toast.id, { render: body, type: toast.kind })
  else toastify[toast.kind](body, { icon: <AlertIcon />, ...(toast.id !== undefined && { toastId: toast.id }) })
}

const Body = ({ title, text, more }: Toast) => (
  <div className="gatehouse-toast-body">
    <p className="gatehouse-toast-title">{title}</p>
    {text && <p>{text}</p>}
    {more && (
      <details>
        <summary>{more.label}</summary>
        <p className="gatehouse-toast-quiet">{more.detail}</p>
      </details>
    )}
  </div>
)
