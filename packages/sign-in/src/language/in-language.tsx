import { languages } from 'gatehouse:languages'
import { loadTexts } from 'gatehouse:texts/signIn'
import { bestLanguage } from '@gatehouse/language/languages.ts'
import { Card } from '@gatehouse/ui/layout/card.tsx'
import { Surface } from '@gatehouse/ui/layout/surface.tsx'
import { type ReactNode, Suspense, use, useDeferredValue, useState } from 'react'
import { logError } from '../log.ts'
import { type BaseMessages, type OwnMessages, wholeLanguage } from '../messages/language-messages.ts'
import styles from './in-language.module.css'
import { languageAttributes } from './language-attributes.ts'

/**
 * The widget's language and all of its texts. `texts` is undefined for English: the first page contains its texts, and the other pages load
 * theirs.
 */
type Spoken = { lang?: string; texts?: BaseMessages }

const tags = languages.map(({ tag }) => tag)

const loading = new Map<string, Promise<Spoken>>()

/** Never rejects: a sign-in in English is better than none. Never retries, because that would hide a half-filled form. */
const spokenIn = (tag: string): Promise<Spoken> => {
  const before = loading.get(tag)
  if (before) return before
  const spoken = loadTexts(tag).then(
    texts => ({ lang: tag, texts }),
    cause => {
      logError(`the texts in ${tag} did not load`, cause)
      return { lang: 'en' }
    },
  )
  loading.set(tag, spoken)
  return spoken
}

type InLanguageProps = { lang: string | undefined; messages: OwnMessages | undefined; children: (spoken: Spoken) => ReactNode }

/** Waits for the texts of the language, so that it never shows English first. Texts that the host page passes need no wait. */
export const InLanguage = ({ lang, messages, children }: InLanguageProps) => {
  const wanted = lang === undefined ? undefined : (bestLanguage(lang, tags) ?? 'en')
  // After a change, the previous language stays until the new one has loaded.
  const tag = useDeferredValue(wanted)
  const texts = wholeLanguage(messages)
  if (texts) return children({ lang: texts.language, texts })
  if (tag === undefined) return children({})
  return (
    <Suspense fallback={<Waiting lang={tag} />}>
      <Loaded tag={tag}>{children}</Loaded>
    </Suspense>
  )
}

const Loaded = ({ tag, children }: { tag: string; children: InLanguageProps['children'] }) => {
  const [first] = useState(tag)
  // The English texts of the first page are in the widget's own code.
  const hasFirstTexts = tag === 'en' && first === 'en'
  return children(hasFirstTexts ? { lang: tag } : use(spokenIn(tag)))
}

/** Reserves the space of the login page while the texts load. */
const Waiting = ({ lang }: { lang: string }) => (
  <Surface attributes={languageAttributes(lang)}>
    <Card logo={null}>
      <div className={styles.waiting} data-part="loading" aria-busy="true" />
    </Card>
  </Surface>
)
