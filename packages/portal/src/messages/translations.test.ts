import type { Source } from '@gatehouse/language/translate.ts'
import arabic from '@gatehouse/language/translations/ar.json' with { type: 'json' }
import german from '@gatehouse/language/translations/de.json' with { type: 'json' }
import spanish from '@gatehouse/language/translations/es.json' with { type: 'json' }
import french from '@gatehouse/language/translations/fr.json' with { type: 'json' }
import japanese from '@gatehouse/language/translations/ja.json' with { type: 'json' }
import portuguese from '@gatehouse/language/translations/pt-BR.json' with { type: 'json' }
import ukrainian from '@gatehouse/language/translations/uk.json' with { type: 'json' }
import chinese from '@gatehouse/language/translations/zh-Hans.json' with { type: 'json' }
import { expectTypeOf, test } from 'vitest'
import type { Texts } from './current.ts'

// A text that a translation lacks is English on the page. For the translations that ship, the type check of this file reports it.
test('the type check finds a text that a translation lacks', () => {
  expectTypeOf(arabic).toExtend<Source<Texts>>()
  expectTypeOf(german).toExtend<Source<Texts>>()
  expectTypeOf(spanish).toExtend<Source<Texts>>()
  expectTypeOf(french).toExtend<Source<Texts>>()
  expectTypeOf(japanese).toExtend<Source<Texts>>()
  expectTypeOf(portuguese).toExtend<Source<Texts>>()
  expectTypeOf(ukrainian).toExtend<Source<Texts>>()
  expectTypeOf(chinese).toExtend<Source<Texts>>()
})
