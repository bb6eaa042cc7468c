// @vitest-environment jsdom
import { Modal } from '@gatehouse/ui/layout/modal.tsx'
import { createRoot } from 'react-dom/client'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { ActionForm } from './action-form.tsx'

beforeEach(() => {
  // Like browsers, focus the first focusable element.
  HTMLDialogElement.prototype.showModal = vi.fn(function (this: HTMLDialogElement) {
    this.open = true
    this.querySelector('button')?.focus()
  })
  HTMLDialogElement.prototype.close = vi.fn()
})

test.each([
  [false, 'Close'],
  [true, 'Cancel'],
])('without fields, focuses the dialog’s first button, or ‘Cancel’ if the action removes something (%s): %s', async (danger, name) => {
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  onTestFinished(() => root.unmount())
  root.render(
    <Modal open onClose={() => {}} title="Remove ‘Phone’?" close="Close" narrow>
      <ActionForm
        danger={danger}
        submit="Remove"
        running={undefined}
        problem={undefined}
        onSubmit={() => {}}
        onEdit={() => {}}
        onCancel={() => {}}
      />
    </Modal>,
  )
  const focused = () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent
  await vi.waitFor(() => expect(focused()).toBe(name))
})

test('focuses the first field before the dialog is painted, so that no key is lost', async () => {
  const page = document.body.appendChild(document.createElement('div'))
  const root = createRoot(page)
  onTestFinished(() => root.unmount())
  // Resolves in the task that adds the dialog: layout effects have run, later effects have not.
  const focused = new Promise<string | null | undefined>(resolve => {
    const seen = new MutationObserver(async () => {
      await Promise.resolve()
      resolve(document.activeElement?.getAttribute('name'))
    })
    seen.observe(page, { childList: true })
  })
  root.render(
    <Modal open onClose={() => {}} title="Confirm" close="Close" narrow>
      <ActionForm submit="Continue" running={undefined} problem={undefined} onSubmit={() => {}} onEdit={() => {}} onCancel={() => {}}>
        {() => <input name="password" type="password" aria-label="Password" />}
      </ActionForm>
    </Modal>,
  )
  expect(await focused).toBe('password')
})
