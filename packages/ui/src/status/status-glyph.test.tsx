// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { Statement } from '../layout/statement.tsx'
import type { EndStatus } from './status-glyph.tsx'

afterEach(cleanup)

const statuses = ['done', 'expired', 'absent', 'stopped', 'attention'] as const satisfies EndStatus[]
const draw = (status?: EndStatus) =>
  render(
    <Statement status={status} title="This link no longer works" actions={null}>
      Get a new link.
    </Statement>,
  ).container

it('draws a different glyph for each status except ‘used’, so ‘done’ and ‘expired’ do not look alike', () => {
  const shapes = statuses.map(status => draw(status).querySelector('svg g')?.innerHTML)
  expect(new Set(shapes).size).toBe(statuses.length)
  expect(shapes).not.toContain(undefined)
})

it('draws the same tick for a used link as for done', () => {
  const [done, used] = (['done', 'used'] as const).map(status => draw(status).querySelector('svg'))
  expect(used?.innerHTML.replaceAll(/_\w+/g, '')).toBe(done?.innerHTML.replaceAll(/_\w+/g, ''))
})

it('hides the glyph from screen readers, because the heading says the same', () => {
  for (const status of statuses) expect(draw(status).querySelector('svg')?.getAttribute('aria-hidden')).toBe('true')
})

it('draws no glyph without a status', () => {
  expect(draw().querySelector('svg')).toBeNull()
})
