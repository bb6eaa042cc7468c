import { expect, test } from 'vitest'
import { bestLanguage } from './languages.ts'

const tags = ['en', 'de', 'fr', 'pt-BR', 'ja', 'zh-Hans', 'uk', 'ar']

test.each([
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['pt-PT', 'pt-BR'],
  ['zh-CN', 'zh-Hans'],
  ['zh-TW,en;q=0.5', 'en'],
  ['nl,fr;q=0.4,en;q=0.7', 'en'],
  ['en-GB, de', 'en'],
  ['de;q=0, fr', 'fr'],
  ['*', undefined],
  ['nl', undefined],
  ['', undefined],
  [undefined, undefined],
  ['de;q=x', 'de'],
  ['<script>', undefined],
])('%s: %s', (accepted, tag) => expect(bestLanguage(accepted, tags)).toBe(tag))
