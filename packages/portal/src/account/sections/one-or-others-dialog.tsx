import { ActionDialog } from '../../actions/action-dialog.tsx'
import { ActionForm } from '../../actions/action-form.tsx'
import type { Actions } from '../../actions/use-actions.ts'

/** What an action ends: one entry of a list, or all entries except the one of this browser. */
export type OneOrOthers<One> = ({ is: 'One' } & One) | { is: 'Others' }

type Words = { title: string; submit: string; running: string }

type OneOrOthersDialogProps<One> = {
  actions: Actions<OneOrOthers<One>>
  username: string
  words: { one: Words; others: Words & { text: string } }
  textOfOne: (one: One) => string
  run: (action: OneOrOthers<One>) => void
}

/** Asks the user to confirm that one entry of a list ends, or all others. */
export const OneOrOthersDialog = <One,>({ actions, username, words, textOfOne, run }: OneOrOthersDialogProps<One>) => {
  const wordsOf = (action: OneOrOthers<One>) => (action.is === 'Others' ? words.others : { ...words.one, text: textOfOne(action) })
  return (
    <ActionDialog actions={actions} username={username} title={action => wordsOf(action).title}>
      {(action, { problem, isRunning }) => (
        <ActionForm
          text={wordsOf(action).text}
          danger
          submit={wordsOf(action).submit}
          running={isRunning ? wordsOf(action).running : undefined}
          problem={problem}
          onSubmit={() => run(action)}
          onEdit={actions.edit}
          onCancel={actions.close}
        />
      )}
    </ActionDialog>
  )
}
