import { ButtonLink } from '@gatehouse/ui/buttons/button.tsx'
import { Card } from '@gatehouse/ui/layout/card.tsx'
import { Logo } from '@gatehouse/ui/layout/logo.tsx'
import { Statement } from '@gatehouse/ui/layout/statement.tsx'
import { Surface } from '@gatehouse/ui/layout/surface.tsx'

/** What is set up wrong between browser, proxy and server: its name, why, what to change, and what was seen. */
export type TroubleProps = {
  trouble: string
  title: string
  cause: string
  advice: string
  facts: { name: string; value: string }[]
  /** For whoever cannot change it. */
  note: string
  action: { label: string; href: string }
}

const hasTexts = (value: unknown, names: readonly string[]): boolean =>
  typeof value === 'object' && value !== null && names.every(name => typeof Reflect.get(value, name) === 'string')

export const isTroubleProps = (props: unknown): props is TroubleProps =>
  typeof props === 'object' &&
  props !== null &&
  hasTexts(props, ['trouble', 'title', 'cause', 'advice', 'note']) &&
  'facts' in props &&
  Array.isArray(props.facts) &&
  props.facts.every(fact => hasTexts(fact, ['name', 'value'])) &&
  'action' in props &&
  hasTexts(props.action, ['label', 'href'])

export const TroublePage = ({ trouble, title, cause, advice, facts, note, action }: TroubleProps) => (
  <Surface>
    <Card logo={<Logo />}>
      <Statement
        title={title}
        actions={
          <ButtonLink look="primary" href={action.href}>
            {action.label}
          </ButtonLink>
        }
      >
        <p className="gatehouse-trouble-name">{trouble}</p>
        <p className="gatehouse-trouble-cause">{cause}</p>
        <p className="gatehouse-trouble-advice">{advice}</p>
        <dl className="gatehouse-trouble-facts">
          {facts.flatMap(({ name, value }) => [<dt key={`${name} name`}>{name}</dt>, <dd key={name}>{value}</dd>])}
        </dl>
        <p className="gatehouse-trouble-note">{note}</p>
      </Statement>
    </Card>
  </Surface>
)
