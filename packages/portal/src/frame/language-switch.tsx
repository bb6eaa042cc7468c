import type { PageFrame } from '@gatehouse/wire/page-props'
import { portalTexts } from '../messages/current.ts'

/** The languages by their own names, behind the name of the current one. It works without a script. */
export const LanguageSwitch = ({ all, current, action }: NonNullable<PageFrame['languages']>) => {
  const name = all.find(({ tag }) => tag === current)?.name ?? current
  return (
    <details className="gatehouse-frame-languages">
      <summary className="gatehouse-frame-link" aria-label={portalTexts.frame.language(name)}>
        {name}
      </summary>
      <form method="post" action={action}>
        {all.map(({ tag, name }) => (
          <button key={tag} type="submit" name="language" value={tag} lang={tag} aria-current={tag === current || undefined}>
            {name}
          </button>
        ))}
      </form>
    </details>
  )
}
