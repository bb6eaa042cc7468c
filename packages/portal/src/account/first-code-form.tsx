import { FactorBinding } from '@gatehouse/sign-in'
import { CodeField } from '@gatehouse/ui/fields/code-field.tsx'
import { ErrorPanel } from '@gatehouse/ui/status/error-panel.tsx'
import type { Factor } from '@gatehouse/wire'
import { useRef } from 'react'
import { ActionForm } from '../actions/action-form.tsx'
import type { Problem } from '../actions/action-state.ts'
import { accountTexts, signInTexts } from '../messages/current.ts'
import styles from './first-code-form.module.css'

type FirstCodeFormProps = {
  factor: Factor
  isRunning: boolean
  problem: Problem | undefined
  onSubmit: (typed: (name: string) => string) => void
  onEdit: () => void
  onCancel: () => void
}

const words = () => accountTexts.factors.scan

/** The QR code for the authenticator app, and a field for its first code. */
export const FirstCodeForm = ({ factor: { factorBinding }, isRunning, ...form }: FirstCodeFormProps) => {
  const code = useRef<HTMLInputElement>(null)
  const binding = factorBinding?.tag === 'TOTPBinding' ? factorBinding.contents : undefined
  if (!binding) return <ErrorPanel title={signInTexts.unexpected.title} message={signInTexts.createFactor.nothingToScan} />
  return (
    <ActionForm {...form} readFirst text={words().text} submit={words().submit} running={isRunning ? words().running : undefined}>
      {(errorAt, readOnly) => (
        <div className={styles.beside}>
          <FactorBinding
            uri={binding.factorTOTPBindingURI}
            secret={binding.factorTOTPBindingSecret}
            messages={signInTexts}
            look="outline"
          />
          <CodeField ref={code} label={words().code} readOnly={readOnly} error={errorAt('otp')} />
        </div>
      )}
    </ActionForm>
  )
}
