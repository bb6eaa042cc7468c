import { Field } from '@gatehouse/ui/fields/field.tsx'
import { type FormEvent, useContext, useEffect, useRef, useState } from 'react'
import styles from './administration.module.css'
import { addressOf, allUsers, type ListRoute } from './route.ts'
import { NavigationContext, RouteLink } from './route-link.tsx'
import { words } from './words.ts'

/** Typing pauses this long before the search runs. */
const pauseMs = 250

/** A search that runs while the administrator types. Enter runs it at once. */
export const Search = ({ route }: { route: ListRoute }) => {
  const { base, replace } = useContext(NavigationContext)
  const [typed, setTyped] = useState(route.search)
  // The last search from this field, to distinguish it from a search by the Back button or a link.
  const asked = useRef(route.search)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => {
    if (route.search === asked.current) return
    asked.current = route.search
    clearTimeout(timer.current)
    setTyped(route.search)
  }, [route.search])
  useEffect(() => () => clearTimeout(timer.current), [])

  const run = (text: string) => {
    clearTimeout(timer.current)
    const search = text.trim()
    if (search === asked.current) return
    asked.current = search
    // Replace the history entry, so that typing does not add one for each letter.
    replace({ ...route, search, after: undefined })
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
      <form className={styles.search} action={`${base}${addressOf(allUsers)}`} onSubmit={submit}>
        <Field
          label={words.users.search}
          name="search"
          type="search"
          value={typed}
          onChange={event => type(event.currentTarget.value)}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
      </form>
      {route.search && (
        <RouteLink to={{ ...route, search: '', after: undefined }} className={styles.pageLink}>
          {words.users.clear}
        </RouteLink>
      )}
    </search>
  )
}
