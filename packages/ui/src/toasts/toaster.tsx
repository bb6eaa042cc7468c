import type { ReactElement } from 'react'
import {
  Bounce,
  cssTransition,
  Flip,
  type Id,
  Slide,
  ToastContainer,
  type ToastIcon,
  type ToastOptions,
  type ToastTransition as Transition,
  toast as toastify,
  Zoom,
} from 'react-toastify/unstyled'
import { AlertIcon } from '../icons/icons.tsx'
import { CloseIcon, DoneIcon, InfoIcon, WarningIcon } from '../icons/news-icons.tsx'
import { Spinner } from '../status/spinner.tsx'
import type { Toast, ToastDefaults, ToastKind, ToastPosition, ToastTransition, ToastWords } from './toast.ts'
import './toaster.css'

// Loaded by use-toasts.tsx when first needed. The unstyled build: the other one injects a <style>, which our policy forbids.

const fade = cssTransition({ enter: 'gatehouse-toast-enter', exit: 'gatehouse-toast-exit', collapse: false })
const transitions: Record<ToastTransition, Transition> = { bounce: Bounce, slide: Slide, zoom: Zoom, flip: Flip }

const icons: Record<ToastKind, ReactElement | false> = {
  info: <InfoIcon />,
  success: <DoneIcon />,
  warning: <WarningIcon />,
  error: <AlertIcon />,
  default: false,
  dark: false,
  loading: <Spinner />,
}

/** §9. Of the other kinds nothing says how long a reader needs, so they stay until they are closed. */
const successCloseMs = 15_000

type ToasterProps = ToastWords & { containerId: string; position: ToastPosition; transition?: NonNullable<ToastDefaults['transition']> }

/** Where toasts appear. */
export const Toaster = ({ region, close, containerId, position, transition }: ToasterProps) => (
  <ToastContainer
    className={({ defaultClassName = '' } = {}) => `${defaultClassName} gatehouse-toasts`}
    toastClassName={({ defaultClassName = '' } = {}) => `${defaultClassName} gatehouse-toast`}
    containerId={containerId}
    position={position}
    transition={transition ? transitions[transition] : fade}
    autoClose={false}
    closeOnClick={false}
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

/** What react-toastify calls the toast of our id. A toast on its way out holds its name, so each showing has one of its own. */
const names = new Map<string, Map<string, Id>>()

/** Shows a toast, or updates the one with its id that is still showing (§2). */
export const show = (toast: Toast, containerId: string) => {
  const { kind, id, position, transition, closeAfterMs = kind === 'success' ? successCloseMs : false } = toast
  const body = <Body {...toast} />
  const options: ToastOptions = {
    containerId,
    type: kind === 'dark' || kind === 'loading' ? 'default' : kind,
    theme: kind === 'dark' ? 'dark' : 'light',
    isLoading: kind === 'loading',
    icon: icons[kind] as ToastIcon,
    autoClose: closeAfterMs,
    role: kind === 'error' || kind === 'warning' ? 'alert' : 'status',
    ...(position && { position }),
    ...(transition && { transition: transitions[transition] }),
  }
  const ours = names.get(containerId) ?? new Map<string, Id>()
  const name = id === undefined ? undefined : ours.get(id)
  if (name !== undefined && toastify.isActive(name, containerId)) return toastify.update(name, { ...options, render: body })
  const shown = toastify(body, options)
  if (id !== undefined) names.set(containerId, ours.set(id, shown))
}

/** Closes one toast of a container, or all. */
export const dismiss = (containerId: string, id?: string) => {
  if (id === undefined) {
    names.delete(containerId)
    return toastify.dismiss({ containerId })
  }
  const name = names.get(containerId)?.get(id)
  if (name !== undefined) toastify.dismiss({ containerId, id: name })
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
