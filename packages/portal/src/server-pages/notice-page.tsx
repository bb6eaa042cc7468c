import { ButtonLink, TextLink } from '@gatehouse/ui/buttons/button.tsx'
import { Card } from '@gatehouse/ui/layout/card.tsx'
import { Statement } from '@gatehouse/ui/layout/statement.tsx'
import { Surface } from '@gatehouse/ui/layout/surface.tsx'

import type { EndStatus, NoticeProps } from '@gatehouse/wire/page-props'
import { BrandLogo } from '../brand-logo.tsx'

const statuses: readonly EndStatus[] = ['done', 'expired', 'absent', 'stopped', 'attention']

export const isNoticeProps = (props: unknown): props is NoticeProps =>
  typeof props === 'object' &&
  props !== null &&
  'status' in props &&
  (statuses as readonly unknown[]).includes(props.status) &&
  'title' in props &&
  typeof props.title === 'string' &&
  'text' in props &&
  typeof props.text === 'string' &&
  'action' in props &&
  typeof props.action === 'object' &&
  props.action !== null &&
  'label' in props.action &&
  typeof props.action.label === 'string' &&
  'href' in props.action &&
  typeof props.action.href === 'string'

export const NoticePage = ({ status, title, text, action, other }: NoticeProps) => (
  <Surface>
    <Card logo={<BrandLogo />}>
      <Statement
        status={status}
        title={title}
        actions={
          <>
            <ButtonLink
              look="primary"
              href={action.href}
              target={action.newTab ? '_blank' : undefined}
              rel={action.newTab ? 'noopener' : undefined}
            >
              {action.label}
            </ButtonLink>
            {other && <TextLink href={other.href}>{other.label}</TextLink>}
          </>
        }
      >
        <p>{text}</p>
      </Statement>
    </Card>
  </Surface>
)
