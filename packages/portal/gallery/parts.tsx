import { Button, ButtonLink, LinkButton } from '@gatehouse/ui/buttons/button.tsx'
import { DebouncedField } from '@gatehouse/ui/fields/debounced-field.tsx'
import { Field } from '@gatehouse/ui/fields/field.tsx'
import { PasswordField } from '@gatehouse/ui/fields/password-field.tsx'
import { GoogleMark, MicrosoftMark, PakMark } from '@gatehouse/ui/icons/provider-marks.tsx'
import { Card } from '@gatehouse/ui/layout/card.tsx'
import { Divider } from '@gatehouse/ui/layout/divider.tsx'
import { Logo, LogoMark } from '@gatehouse/ui/layout/logo.tsx'
import { Modal } from '@gatehouse/ui/layout/modal.tsx'
import { Statement } from '@gatehouse/ui/layout/statement.tsx'
import { Surface } from '@gatehouse/ui/layout/surface.tsx'
import { Banner } from '@gatehouse/ui/status/banner.tsx'
import { ErrorPanel } from '@gatehouse/ui/status/error-panel.tsx'
import { Spinner } from '@gatehouse/ui/status/spinner.tsx'
import { Tag } from '@gatehouse/ui/status/tag.tsx'
import { type ReactNode, useState } from 'react'
import type { Group } from './scene.ts'

const Sheet = ({ children }: { children: ReactNode }) => (
  <Surface>
    <Card logo={<Logo />} headed>
      <div style={{ display: 'grid', gap: 16 }}>{children}</div>
    </Card>
  </Surface>
)

const Settled = () => {
  const [text, setText] = useState('')
  return (
    <>
      <DebouncedField label="Debounced" onSettled={setText} />
      <p style={{ margin: 0 }}>Settled: {text || 'nothing yet'}</p>
    </>
  )
}

const Window = () => {
  const [open, setOpen] = useState(true)
  return (
    <Sheet>
      <Button onClick={() => setOpen(true)}>Open the window</Button>
      <Modal open={open} onClose={() => setOpen(false)} title="Remove this factor" close="Close">
        <p>From then on a password alone signs you in, until you set up another factor.</p>
        <Button look="primary" onClick={() => setOpen(false)}>
          Remove
        </Button>
      </Modal>
    </Sheet>
  )
}

const toggle = { show: 'Show password', hide: 'Hide password' }

export const parts: Group = {
  name: 'Parts',
  scenes: [
    {
      name: 'Buttons',
      draw: () => (
        <Sheet>
          <Button look="primary">Primary</Button>
          <Button look="primary" progress="running">
            Running
          </Button>
          <Button look="primary" progress="done">
            Done
          </Button>
          <Button look="primary" disabled>
            Primary, disabled
          </Button>
          <Button>Outline</Button>
          <Button disabled>Outline, disabled</Button>
          <ButtonLink href="#" mark={<GoogleMark />}>
            Link with a mark
          </ButtonLink>
          <ButtonLink href="#" mark={<MicrosoftMark />}>
            Link with a mark
          </ButtonLink>
          <Button look="danger">Delete user</Button>
          <ButtonLink href="#" mark={<PakMark />} muted note={<Tag>Not ready</Tag>}>
            Link with a note
          </ButtonLink>
          <div>
            <LinkButton>Link-style button</LinkButton>
          </div>
          <div>
            <LinkButton disabled>Link-style button, disabled</LinkButton>
          </div>
        </Sheet>
      ),
    },
    {
      name: 'Fields',
      draw: () => (
        <Sheet>
          <Field label="Empty" />
          <Field label="Filled" defaultValue="ada@example.com" />
          <Field label="Disabled" defaultValue="ada@example.com" disabled />
          <Field label="With an error" defaultValue="ada" error="Enter an email address like name@example.com." />
          <PasswordField autoComplete="new-password" label="Password" defaultValue="correct horse" />
          <PasswordField autoComplete="new-password" label="Password with toggle" defaultValue="correct horse" toggle={toggle} />
          <PasswordField autoComplete="new-password" label="Password with a caption" caption="Optional" />
          <Settled />
          <PasswordField autoComplete="new-password" label="Password with an error" toggle={toggle} error="Enter your password." />
        </Sheet>
      ),
    },
    {
      name: 'Small parts',
      draw: () => (
        <Sheet>
          <div>
            <LogoMark size={16} /> <LogoMark size={24} /> <LogoMark size={48} />
          </div>
          <Spinner />
          <div>
            <Tag>Plain</Tag> <Tag tone="amber">Amber</Tag>
          </div>
          <Divider>or</Divider>
        </Sheet>
      ),
    },
    {
      name: 'Banner and error panel',
      draw: () => (
        <Sheet>
          <Banner>You have failed to login. Make sure that your email and password are correct.</Banner>
          <ErrorPanel title="Something went wrong" message="POST /auth/page/plow/verifyOTP answered 503" />
        </Sheet>
      ),
    },
    {
      name: 'Error panel in place of a toast',
      draw: () => (
        <Sheet>
          <ErrorPanel title="Something went wrong" message="Try again in a moment." detail="POST /auth/page/plow/verifyOTP answered 503" />
        </Sheet>
      ),
    },
    { name: 'Modal', draw: () => <Window /> },
    {
      name: 'Statement',
      draw: () => (
        <Surface>
          <Card logo={<Logo />}>
            <Statement title="This link has expired" actions={<Button look="primary">Send a new one</Button>}>
              <p>A link works for ten minutes. Ask for a new one, and it will be there in a moment.</p>
            </Statement>
          </Card>
        </Surface>
      ),
    },
  ],
}
