import { join } from 'node:path'
import { expect, test } from 'vitest'
import { docComments } from './doc-comments.ts'

const commentOf = docComments({ file: join(import.meta.dirname, 'fixtures/catalog.ts'), name: 'sample' })

test.each([
  ['title', 'Above the page.'],
  ['to', "In a mail. `address` is the user's."],
  ['page', 'The page.'],
  ['page.open', undefined],
  ['page.steps', 'In order.'],
  ['page.dead', 'Why a link is dead.'],
  ['page.dead.Used', undefined],
  ['same.Used', undefined],
  ['nothing.here', undefined],
])('the comment of %s is %j', (path, comment) => expect(commentOf(path.split('.'))).toBe(comment))
