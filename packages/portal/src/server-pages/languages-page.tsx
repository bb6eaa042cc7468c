import { Button, TextLink } from '@gatehouse/ui/buttons/button.tsx'
import { TickIcon } from '@gatehouse/ui/icons/icons.tsx'
import { Card, CardHeading } from '@gatehouse/ui/layout/card.tsx'
import { Surface } from '@gatehouse/ui/layout/surface.tsx'

import type { LanguagesProps } from '@gatehouse/wire/page-props'
import { BrandLogo } from '../brand-logo.tsx'
import { portalTexts } from '../messages/current.ts'

export const isLanguagesProps = (props: unknown): props is LanguagesProps =>
  typeof props === 'object' &&
  props !== null &&
  'all' in props &&
  Array.isArray(props.all) &&
  'current' in props &&
  typeof props.current === 'string' &&
  'back' in props &&
  typeof props.back === 'string'

/** Every language by its own name. A choice leads back to the page that the user came from. */
export const LanguagesPage = ({ all, current, back }: LanguagesProps) => (
  <Surface>
    <Card logo={<BrandLogo />}>
      <CardHeading title={portalTexts.titles.languages} />
      <form method="post" className="gatehouse-languages">
        <input type="hidden" name="back" value={back} />
        {all.map(({ tag, name }) => (
          <Button key={tag} type="submit" name="language" value={tag} lang={tag} aria-current={tag === current || undefined}>
            {name}
            {tag === current && <TickIcon />}
          </Button>
        ))}
      </form>
      <p className="gatehouse-languages-back">
        <TextLink href={back}>{portalTexts.languages.back}</TextLink>
      </p>
    </Card>
  </Surface>
)
