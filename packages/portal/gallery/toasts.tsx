import { Surface } from '@gatehouse/ui/layout/surface.tsx'
import type { Toast, ToastDefaults } from '@gatehouse/ui/toasts/toast.ts'
import { useToasts } from '@gatehouse/ui/toasts/use-toasts.tsx'
import { useEffect } from 'react'
import type { Group } from './scene.ts'
import { click, see } from './user-steps.ts'

const Shown = ({ toasts, ...defaults }: ToastDefaults & { toasts: Toast[] }) => {
  const { show, outlet } = useToasts({ region: 'Notifications', close: 'Close' }, defaults)
  useEffect(() => {
    for (const toast of toasts) void show({ closeAfterMs: false, ...toast })
  }, [show, toasts])
  return <Surface>{outlet}</Surface>
}

/** Toasts that set no duration: by default, a success closes and an error stays. */
const closing: Toast[] = [
  { kind: 'success', title: 'A success, which closes' },
  { kind: 'error', title: 'An error, which stays' },
]
const Closing = () => {
  const { show, outlet } = useToasts({ region: 'Notifications', close: 'Close' })
  useEffect(() => {
    for (const toast of closing) void show(toast)
  }, [show])
  return <Surface>{outlet}</Surface>
}

const kinds = (['info', 'success', 'warning', 'error', 'default', 'dark', 'loading'] as const).map(
  (kind): Toast => ({ kind, title: `A toast of kind ${kind}`, text: 'One sentence that says what to do next.' }),
)
const long: Toast[] = [
  { kind: 'error', title: 'Something went wrong', more: { label: 'More Info', detail: 'A line of detail. '.repeat(400) } },
]
const note: Toast[] = [{ kind: 'info', title: 'Here it is' }]

/** Each position shows one transition, to cover six positions and four transitions. */
const places = [
  ['top-right', 'bounce'],
  ['top-center', 'slide'],
  ['top-left', 'zoom'],
  ['bottom-right', 'flip'],
  ['bottom-center', 'bounce'],
  ['bottom-left', 'slide'],
] as const

export const toasts: Group = {
  name: 'Toasts',
  scenes: [
    { name: 'Seven kinds', draw: () => <Shown toasts={kinds} />, act: () => see('A toast of kind loading') },
    { name: 'A success and an error', draw: () => <Closing />, act: () => see('An error, which stays') },
    { name: 'More Info, long', draw: () => <Shown toasts={long} />, act: () => click('More Info') },
    ...places.map(([position, transition]) => ({
      name: `${position}, ${transition}`,
      draw: () => <Shown toasts={note} position={position} transition={transition} />,
      act: () => see('Here it is'),
    })),
  ],
}
