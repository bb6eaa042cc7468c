import type { PageFrame } from '@gatehouse/wire/page-props'
import { portalTexts } from '../messages/current.ts'

/** The current language, and behind it the others by their own names. It works without a script. */
export const LanguageSwitch = ({ all, current, action }: NonNullable<PageFrame['languages']>) => {
  const name = all.find(({ tag }) => tag === current)?.name ?? current
  return (
    <details>
      <summary aria-label={portalTexts.frame.language(name)}>{name}</summary>
      <form method="post" action={action}>
        {all
          .filter(({ tag }) => tag !== current)
          .map(({ tag, name }) => (
            // biome-ignore lint/a11y/useButtonType: buttons of a form submit it, and the sign-in page is short of bytes
            <button key={tag} name="language" value={tag} lang={tag}>
              {name}
            </button>
          ))}
      </form>
    </details>
  )
}
