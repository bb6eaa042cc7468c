import { Field } from '@gatehouse/ui/fields/field.tsx'
import { type FormEvent, useContext, useEffect, useRef, useState } from 'react'
import styles from './administration.module.css'
import { addressOf, type Route } from './route.ts'
import { NavigationContext, RouteLink } from './route-link.tsx'

/** The search runs once typing has paused for this long. */
const pauseMs = 250

type SearchProps = {
  /** What the page has searched for. */
  search: string
  words: { search: string; clear: string }
  /** The page without a search. */
  all: Route
  to: (search: string) => Route
}

/** A search that runs while the administrator types. Enter runs it at once. */
export const Search = ({ search: shown, words, all, to }: SearchProps) => {
  const { base, replace } = useContext(NavigationContext)
  const [typed, setTyped] = useState(shown)
  // The last search from this field, to distinguish it from a search that the Back button or a link opens.
  const asked = useRef(shown)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => {
    if (shown === asked.current) return
    asked.current = shown
    clearTimeout(timer.current)
    setTyped(shown)
  }, [shown])
  useEffect(() => () => clearTimeout(timer.current), [])

  const run = (text: string) => {
    clearTimeout(timer.current)
    const search = text.trim()
    if (search === asked.current) return
    asked.current = search
    // Replace the history entry, so that typing does not add one for each letter.
    replace(to(search))
  }
  const type = (text: string) => {
    setTyped(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => run(text), pauseMs)
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    run(typed)
  }

  return (
    <search>
      <form className={styles.search} action={`${base}${addressOf(all)}`} onSubmit={submit}>
        <Field
          label={words.search}
          name="search"
          type="search"
          value={typed}
          onChange={event => type(event.currentTarget.value)}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
      </form>
      {shown && (
        <RouteLink to={to('')} className={styles.pageLink}>
          {words.clear}
        </RouteLink>
      )}
    </search>
  )
}
