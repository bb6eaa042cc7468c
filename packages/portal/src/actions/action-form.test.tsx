// @vitest-environment jsdom
import { Modal } from '@gatehouse/ui/layout/modal.tsx'
import { createRoot } from 'react-dom/client'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { ActForm } from './action-form.tsx'

beforeEach(() => {
  // As a browser does it: the focus goes to the first that takes it.
  HTMLDialogElement.prototype.showModal = vi.fn(function (this: HTMLDialogElement) {
    this.open = true
    this.querySelector('button')?.focus()
  })
  HTMLDialogElement.prototype.close = vi.fn()
})

test('the focus is where is to be typed before the window can be seen: keys that are pressed at once are not lost', async () => {
  const page = document.body.appendChild(document.createElement('div'))
  const root = createRoot(page)
  onTestFinished(() => root.unmount())
  // Told in the very task that puts the window there, when the effects that come before the screen have run, and no other has.
  const focused = new Promise<string | null | undefined>(resolve => {
    const seen = new MutationObserver(async () => {
      await Promise.resolve()
      resolve(document.activeElement?.getAttribute('name'))
    })
    seen.observe(page, { childList: true })
  })
  root.render(
    <Modal open onClose={() => {}} title="Confirm" close="Close" narrow>
      <ActForm submit="Continue" running={undefined} problem={undefined} onSubmit={() => {}} onEdit={() => {}} onCancel={() => {}}>
        {() => <input name="password" type="password" aria-label="Password" />}
      </ActForm>
    </Modal>,
  )
  expect(await focused).toBe('password')
})
