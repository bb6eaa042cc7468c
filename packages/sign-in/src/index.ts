// A shape is what `createRequest` decodes answers with.
export { type Infer, type Shape, shape } from '@gatehouse/wire'
export { type Api, createApi, type Failure, type Reply } from './api.ts'
export { type Config, createConfig, type ServerAddress } from './config.ts'
export { english } from './messages/en.ts'
export type { Messages } from './messages/messages.ts'
export { type MountOptions, mountSignIn } from './mount.tsx'
export { createRequest } from './request.ts'
export { type Problem, SignIn, type SignInOptions } from './sign-in.tsx'
export { useIdle, useInterval } from './timers.ts'
export {
  type Toast,
  type ToastDefaults,
  type ToastKind,
  type ToastPosition,
  type Toasts,
  type ToastTransition,
  type ToastWords,
  useToasts,
} from './toasts/use-toasts.tsx'
export { Banner } from './ui/banner.tsx'
export { Button, ButtonLink, LinkButton, TextLink } from './ui/button.tsx'
export { Card } from './ui/card.tsx'
export { CodeField } from './ui/code-field.tsx'
export { DebouncedField } from './ui/debounced-field.tsx'
export { ErrorPanel } from './ui/error-panel.tsx'
export { Field, type FieldProps } from './ui/field.tsx'
export { Logo, LogoMark, type LogoReplacement } from './ui/logo.tsx'
export { Modal } from './ui/modal.tsx'
export { Notice } from './ui/notice.tsx'
export { PasswordField } from './ui/password-field.tsx'
export { Spinner } from './ui/spinner.tsx'
export { Statement, Text, Title } from './ui/statement.tsx'
export { Surface } from './ui/surface.tsx'
export { Tag } from './ui/tag.tsx'
