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
import { CloseIcon, InfoIcon, SuccessIcon, WarningIcon } from '../icons/status-icons.tsx'
import { Spinner } from '../status/spinner.tsx'
import type { Toast, ToastDefaults, ToastKind, ToastPosition, ToastTransition, ToastWords } from './toast.ts'
import './toaster.css'

// Loaded by use-toasts.tsx. Uses the unstyled build: the other build injects a <style> element, which our Content-Security-Policy forbids.

const fade = cssTransition({ enter: 'gatehouse-toast-enter', exit: 'gatehouse-toast-exit', collapse: false })
const transitions: Record<ToastTransition, Transition> = { bounce: Bounce, slide: Slide, zoom: Zoom, flip: Flip }

const icons: Record<ToastKind, ReactElement | false> = {
  info: <InfoIcon />,
  success: <SuccessIcon />,
  warning: <WarningIcon />,
  error: <AlertIcon />,
  default: false,
  dark: false,
  loading: <Spinner />,
}

/** §9. The specification gives no time for the other kinds, so they stay until the user closes them. */
const successCloseMs = 15_000

type ToasterProps = ToastWords & { containerId: string; position: ToastPosition; transition?: NonNullable<ToastDefaults['transition']> }

/** The container of the toasts. */
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
      <button type="button" className="gatehouse-toast-close" data-part="toast-close" aria-label={close} onClick={closeToast}>
        <CloseIcon />
      </button>
    )}
  />
)

/** The react-toastify ID for each of our IDs, by container. A closing toast keeps its react-toastify ID, so a new one gets another. */
const idsOf = new Map<string, Map<string, Id>>()

/** Shows a toast, or updates the visible one with the same ID (§2). */
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
  const own = idsOf.get(containerId) ?? new Map<string, Id>()
  const shownId = id === undefined ? undefined : own.get(id)
  if (shownId !== undefined && toastify.isActive(shownId, containerId)) return toastify.update(shownId, { ...options, render: body })
  const shown = toastify(body, options)
  if (id !== undefined) idsOf.set(containerId, own.set(id, shown))
}

/** Closes one toast of a container, or all. */
export const dismiss = (containerId: string, id?: string) => {
  if (id === undefined) {
    idsOf.delete(containerId)
    return toastify.dismiss({ containerId })
  }
  const shownId = idsOf.get(containerId)?.get(id)
  if (shownId !== undefined) toastify.dismiss({ containerId, id: shownId })
}

/** Toastify creates the element and accepts no attributes for it. */
const markToast = (body: Element | null) => body?.closest('.gatehouse-toast')?.setAttribute('data-part', 'toast')

const Body = ({ title, text, more }: Toast) => (
  <div className="gatehouse-toast-body" ref={markToast}>
    <p className="gatehouse-toast-title" data-part="toast-title">
      {title}
    </p>
    {text && <p data-part="toast-text">{text}</p>}
    {more && (
      <details>
        <summary>{more.label}</summary>
        <p className="gatehouse-toast-quiet" data-part="toast-detail">
          {more.detail}
        </p>
      </details>
    )}
  </div>
)
