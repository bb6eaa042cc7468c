import { Select } from '@gatehouse/ui/fields/select.tsx'
import { useEffect } from 'react'
import { type Outcome, useActions } from '../../actions/use-actions.ts'
import type { PortalApi } from '../../calls/portal-api.ts'
import { accountTexts } from '../../messages/current.ts'
import type { SectionProps } from '../section-props.ts'
import { ChoiceSection } from './choice-section.tsx'

export type LanguageProps = SectionProps & {
  /** The tag of the language that the user has chosen, if any. */
  chosen: string | undefined
  languages: readonly { tag: string; name: string }[]
  api: Pick<PortalApi, 'userLanguage'>
  /** Loads the page again, in the new language. Must stay the same function while the page is open. */
  reload: () => void
}

const words = () => accountTexts.language

/** The language of the pages and emails. */
export const LanguageSection = (props: LanguageProps) => {
  const { chosen, languages, username, api, reload } = props
  const actions = useActions<'change'>(props)
  const current = languages.find(({ tag }) => tag === chosen)
  const isLeaving = actions.state.is === 'Leaving'

  useEffect(() => {
    if (isLeaving) reload()
  }, [isLeaving, reload])

  const change = (tag: string) =>
    void actions.start(async (signal): Promise<Outcome<'change'>> => {
      const reply = await api.userLanguage({ userLanguage: tag === '' ? null : tag }, signal)
      return reply.ok ? { location: '' } : { failure: reply.failure }
    })

  return (
    <ChoiceSection
      id="language"
      words={words()}
      username={username}
      actions={actions}
      isLeaving={isLeaving}
      current={current ? <bdi lang={current.tag}>{current.name}</bdi> : words().automatic}
      name="userLanguage"
      change={change}
      field={() => (
        <Select label={words().heading} name="userLanguage" defaultValue={current?.tag ?? ''}>
          <option value="">{words().automatic}</option>
          {languages.map(({ tag, name }) => (
            <option key={tag} value={tag} lang={tag}>
              {name}
            </option>
          ))}
        </Select>
      )}
    />
  )
}
