import type { MailLinkProps, OneTimeLinkProps } from '@gatehouse/wire/page-props'

export const isMailLinkProps = <Result>(props: unknown): props is MailLinkProps<Result> =>
  typeof props === 'object' &&
  props !== null &&
  'base' in props &&
  typeof props.base === 'string' &&
  (!('begin' in props) || props.begin === undefined || (typeof props.begin === 'object' && props.begin !== null && 'is' in props.begin))

export const isOneTimeLinkProps = (props: unknown): props is OneTimeLinkProps => isMailLinkProps<never>(props)
