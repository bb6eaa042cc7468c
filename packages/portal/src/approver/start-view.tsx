import { Button } from '@gatehouse/ui/buttons/button.tsx'
import { Field } from '@gatehouse/ui/fields/field.tsx'
import { Statement, Text, Title } from '@gatehouse/ui/layout/statement.tsx'
import { useRef, useState } from 'react'
import { approverTexts as words } from '../messages/current.ts'
import styles from './approver.module.css'
import { type EnrolmentLink, readEnrolmentLink } from './enrolment-link.ts'

/** Explains how to set up a phone. The link can be pasted, because a camera does not open a page that is on the home screen. */
export const StartView = ({ onLink }: { onLink: (link: EnrolmentLink) => void }) => {
  const [problem, setProblem] = useState<string>()
  const pasted = useRef<HTMLInputElement>(null)
  return (
    <>
      <Title focused>{words.start.title}</Title>
      <Text>{words.start.text}</Text>
      <ol className={styles.steps}>
        {words.start.steps.map(step => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <form
        className={styles.form}
        method="post"
        noValidate
        onSubmit={event => {
          event.preventDefault()
          const link = readEnrolmentLink(pasted.current?.value ?? '', window.location.origin)
          if (link) return onLink(link)
          setProblem(words.start.notALink)
          pasted.current?.focus()
        }}
      >
        <div className={styles.fields}>
          <Field
            ref={pasted}
            label={words.start.paste}
            caption={words.start.pasteHint}
            type="url"
            inputMode="url"
            name="enrolment-link"
            autoComplete="off"
            spellCheck={false}
            error={problem}
            onInput={() => setProblem(undefined)}
          />
        </div>
        <Button type="submit">{words.start.open}</Button>
      </form>
    </>
  )
}

/** The page in a browser that can't be used. */
export const UnusableView = ({ why }: { why: 'insecure' | 'store' }) => (
  <Statement status="attention" focused title={words.unusable.title} actions={null}>
    {words.unusable[why]}
  </Statement>
)
