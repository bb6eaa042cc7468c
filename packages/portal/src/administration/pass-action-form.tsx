import { Field } from '@gatehouse/ui/fields/field.tsx'
import { CopyableText } from '../account/copyable-text.tsx'
import { ShownOnce } from '../account/shown-once.tsx'
import { ActionForm } from '../actions/action-form.tsx'
import type { Problem } from '../actions/action-state.ts'
import type { Actions } from '../actions/use-actions.ts'
import { accountTexts, administrationTexts as words } from '../messages/current.ts'
import { PassFields } from '../passes/pass-fields.tsx'
import type { AdministrationApi } from './administration-api.ts'
import { type PassAction, readServicePass, runAddPass, runEndPasses } from './pass-action.ts'
import type { AdministratorAction } from './user-action.ts'

type PassActionFormProps = {
  action: PassAction
  actions: Actions<AdministratorAction>
  api: AdministrationApi
  /** The administrator's time zone. */
  zone: string
  problem: Problem | undefined
  isRunning: boolean
}

/** What the dialog of an action on passes contains. */
export const PassActionForm = ({ action, actions, api, zone, problem, isRunning }: PassActionFormProps) => {
  const { acts } = words.passes
  const form = { problem, onEdit: actions.edit, onCancel: actions.close }
  switch (action.kind) {
    case 'addPass':
      return (
        <ActionForm
          {...form}
          text={acts.addPass.text}
          submit={acts.addPass.button}
          running={isRunning ? acts.addPass.running : undefined}
          onSubmit={typed => {
            const request = readServicePass(typed, zone)
            if ('at' in request) return actions.fail(request)
            void actions.start(runAddPass(api, request, action.most))
          }}
        >
          {(errorAt, readOnly) => (
            <>
              <Field
                {...acts.addPass.service}
                name="service"
                maxLength={63}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                readOnly={readOnly}
                error={errorAt('service')}
                required
              />
              <PassFields origins={action.origins} timeZone={zone} errorAt={errorAt} readOnly={readOnly} />
            </>
          )}
        </ActionForm>
      )
    case 'shown':
      return (
        <ShownOnce text={accountTexts.passes.shown.text} saved={accountTexts.passes.shown.saved} onSaved={actions.close}>
          <CopyableText text={action.pass} words={accountTexts.passes.shown} />
        </ShownOnce>
      )
    case 'endPass':
    case 'endPasses':
      return (
        <ActionForm
          {...form}
          danger
          text={acts[action.kind].text}
          submit={acts[action.kind].button}
          running={isRunning ? acts.running : undefined}
          onSubmit={() => void actions.start(runEndPasses(api, action))}
        />
      )
  }
}
