import { area, reach } from './area.ts'
import { malformedBodies, sentence } from './messages.ts'
import { ada, count, expect, held, lastBody, test } from './wire.ts'

const sends = [
  {
    name: 'password reset',
    call: 'sendPasswordResetEmail',
    button: 'sendResetEmail',
    other: 'sendMagicLink',
    body: { useremail: ada.username },
    answer: {},
    sent: sentence.resetEmailSent,
    failed: 'Error while trying to send reset password email',
    // The widget ignores this call's reply, so only a failed call is a failure.
    failures: [{ status: 500, json: { error: 'out of order' } }, { status: 404 }, { drop: 'at once' as const }],
  },
  {
    name: 'one-time link',
    call: 'magiclinkSend',
    button: 'sendMagicLink',
    other: 'sendResetEmail',
    body: [{ email: ada.username, redirect: { tag: 'RedirectDashboard' } }],
    answer: { tag: 'Ok' },
    sent: sentence.magicLinkSent,
    failed: 'Error while trying to send One Time Link email',
    failures: [
      { json: { tag: 'Error', contents: 'no mail can be sent' } },
      { status: 500, json: { error: 'out of order' } },
      { drop: 'at once' as const },
      ...Object.values(malformedBodies).map(body => ({ body })),
    ],
  },
] as const

test('forgot password shows the field, both buttons, the note and the link back', async ({ page, wire }) => {
  const { email, sendResetEmail, sendMagicLink, back, signIn } = area(page)
  await reach.forgotPassword({ page, wire })
  await expect(email).toBeFocused()
  await expect(email).toHaveAttribute('type', 'email')
  await expect(sendResetEmail).toHaveText('Send Password Reset Email')
  await expect(sendMagicLink).toHaveText('Send One Time Link Email')
  await expect(page.getByText(/A One Time Link Email enables a one-time log-in to your account/)).toBeVisible()
  await back.click()
  await expect(signIn).toBeVisible()
})

for (const { name, call, button, other, body, answer, sent, failed, failures } of sends) {
  // Both buttons share their code, so `npm test` checks only one.
  const tag = name === 'password reset' ? [] : '@long'
  test(`${name}: disables the field and the other button while it sends, then shows 'Email sent' and waits 30 s`, { tag }, async ({
    page,
    wire,
  }) => {
    await page.clock.install()
    const on = area(page)
    const going = held()
    wire.answer(call, { json: answer, after: going.after })
    await reach.forgotPassword({ page, wire })
    await on.email.fill(' Ada@Example.COM ')
    // Keep the element itself, because the label changes while the form is sent.
    const pressed = await on[button].elementHandle()
    await on[button].click()
    await expect(on[other]).toBeDisabled()
    await expect(on.email).toBeDisabled()
    expect(await pressed?.isDisabled()).toBe(true)
    going.release()
    await expect(page.getByText('Email sent')).toBeVisible()
    await expect(page.getByText(sent)).toBeVisible()
    expect(lastBody(wire, call)).toEqual(body)
    await expect(on.email).toBeEnabled()
    await expect(on[other]).toBeDisabled()
    await page.clock.runFor(30_000)
    await expect(on[other]).toBeEnabled()
    expect(await pressed?.isDisabled()).toBe(false)
  })

  test(`${name}: logs and reports a failure, and shows nothing`, { tag }, async ({ page, wire, consoleLines }) => {
    const on = area(page)
    wire.serve(
      '/report/start.js',
      'window.reported = []; Gatehouse.mountSignIn("#root", { onError: report => reported.push(report.message) })',
    )
    wire.serve(
      '/report/index.html',
      `<!doctype html><html lang="en"><title>Host</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/page/gatehouse-sign-in.css">
       <div id="root"></div><script src="/page/gatehouse-sign-in.js"></script><script src="start.js"></script></html>`,
    )
    await page.goto('/report/index.html')
    await on.forgot.click()
    await on.email.fill(ada.username)
    for (const failure of failures) {
      wire.answer(call, failure)
      await on[button].click()
      await expect.poll(() => consoleLines.some(line => line.includes(failed))).toBe(true)
      // Besides our line, Chromium logs a status or a lost connection.
      const ours = consoleLines.splice(0).filter(line => line.includes('Gatehouse'))
      expect(ours).toEqual([expect.stringContaining(failed)])
      expect(await page.evaluate('reported.splice(0)')).toEqual([failed])
      await expect(on[button]).toBeEnabled()
      await expect(on[other]).toBeEnabled()
      await expect(on.email).toBeEnabled()
      await expect(page.getByText('Email sent')).toHaveCount(0)
      await expect(on.toasts).toHaveCount(0)
      await expect(on.banner).toHaveCount(0)
    }
    expect(count(wire, call)).toBe(failures.length)
  })
}

test('sends nothing without a valid address, and marks and focuses the field', async ({ page, wire }) => {
  const { email, sendResetEmail, sendMagicLink } = area(page)
  await reach.forgotPassword({ page, wire })
  for (const button of [sendResetEmail, sendMagicLink]) {
    for (const wrong of ['', 'ada', 'ada@', 'a b@example.com']) {
      await email.fill(wrong)
      await button.click()
      await expect(email).toHaveAttribute('aria-invalid', 'true')
      await expect(email).toBeFocused()
    }
  }
  expect(wire.received).toEqual([])
})
