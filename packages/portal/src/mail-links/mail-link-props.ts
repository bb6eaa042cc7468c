import type { MailLinkState } from './mail-link-state.ts'

/** What the server tells of a mailed link that was pasted into its page; nothing while none was. */
export type MailLinkProps<Result> = { begin?: MailLinkState<Result> | undefined }

export const isMailLinkProps = <Result>(props: unknown): props is MailLinkProps<Result> =>
  typeof props === 'object' &&
  props !== null &&
  (!('begin' in props) || props.begin === undefined || (typeof props.begin === 'object' && props.begin !== null && 'is' in props.begin))
