import { ButtonLink } from '@gatehouse/ui/buttons/button.tsx'
import { Card } from '@gatehouse/ui/layout/card.tsx'
import { Statement } from '@gatehouse/ui/layout/statement.tsx'
import { Surface } from '@gatehouse/ui/layout/surface.tsx'

import type { MisconfigurationProps } from '@gatehouse/wire/page-props'
import { BrandLogo } from '../brand-logo.tsx'

const hasTexts = (value: unknown, names: readonly string[]): boolean =>
  typeof value === 'object' && value !== null && names.every(name => typeof Reflect.get(value, name) === 'string')

export const isMisconfigurationProps = (props: unknown): props is MisconfigurationProps =>
  typeof props === 'object' &&
  props !== null &&
  hasTexts(props, ['name', 'nameLabel', 'title', 'cause', 'advice', 'note']) &&
  'facts' in props &&
  Array.isArray(props.facts) &&
  props.facts.every(fact => hasTexts(fact, ['name', 'value'])) &&
  'action' in props &&
  hasTexts(props.action, ['label', 'href'])

export const MisconfigurationPage = ({ name, nameLabel, title, cause, advice, facts, note, action }: MisconfigurationProps) => (
  <Surface>
    <Card logo={<BrandLogo />}>
      <Statement
        status="attention"
        title={title}
        actions={
          <ButtonLink look="primary" href={action.href}>
            {action.label}
          </ButtonLink>
        }
      >
        <p className="gatehouse-misconfiguration-cause">{cause}</p>
        <p className="gatehouse-misconfiguration-advice">{advice}</p>
        <dl className="gatehouse-misconfiguration-facts">
          <dt>{nameLabel}</dt>
          <dd className="gatehouse-misconfiguration-name">{name}</dd>
          {facts.flatMap(fact => [
            <dt key={`${fact.name} name`}>{fact.name}</dt>,
            <dd key={fact.name} className={/^https?:/.test(fact.value) ? 'gatehouse-misconfiguration-address' : undefined}>
              <bdi>{fact.value}</bdi>
            </dd>,
          ])}
        </dl>
        <p className="gatehouse-misconfiguration-note">{note}</p>
      </Statement>
    </Card>
  </Surface>
)
