import { Card } from '@gatehouse/ui/layout/card.tsx'
import { Logo } from '@gatehouse/ui/layout/logo.tsx'
import { Surface } from '@gatehouse/ui/layout/surface.tsx'
import { LoadingPage } from '../../sign-in/src/pages/loading.tsx'
import { signInTexts } from '../src/messages/current.ts'
import type { Group } from './scene.ts'

const Waiting = ({ failed }: { failed: boolean }) => (
  <Surface>
    <Card logo={<Logo />} headed>
      <LoadingPage messages={signInTexts} failed={failed} retry={() => {}} back={() => {}} />
    </Card>
  </Surface>
)

/** Loading the pages after the login page. every-state.spec.ts covers a QR code and toasts that fail to load. */
export const waiting: Group = {
  name: 'Pages of the next step',
  scenes: [
    { name: 'On its way', draw: () => <Waiting failed={false} /> },
    { name: 'Not come', draw: () => <Waiting failed /> },
  ],
}
