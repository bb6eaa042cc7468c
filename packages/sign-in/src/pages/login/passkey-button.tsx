import { Button } from '@gatehouse/ui/buttons/button.tsx'
import { useHydrated } from '@gatehouse/ui/hooks/use-hydrated.ts'
import { KeyIcon } from '@gatehouse/ui/icons/icons.tsx'
import { Tag } from '@gatehouse/ui/status/tag.tsx'
import { hasPasskeys } from '../../passkeys/has-passkeys.ts'
import styles from './login.module.css'

type PasskeyButtonProps = {
  text: string
  /** Says that this browser used a passkey last. */
  mark?: string | undefined
  disabled: boolean
  onClick: () => void
}

/**
 * The button for a passkey. The server renders it for every browser; the script removes it where passkeys do not
 * work. A separate component, so that only this renders again after hydration.
 */
export const PasskeyButton = ({ text, mark, disabled, onClick }: PasskeyButtonProps) => {
  const isHydrated = useHydrated()
  return (
    (!isHydrated || hasPasskeys()) && (
      <div className={styles.passkey} inert={!isHydrated}>
        <Button
          data-part="passkey"
          mark={<KeyIcon />}
          note={mark && <Tag>{mark}</Tag>}
          disabled={disabled}
          aria-description={mark}
          onClick={onClick}
        >
          {text}
        </Button>
      </div>
    )
  )
}
