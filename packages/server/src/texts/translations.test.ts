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
import type { ServerTexts } from './server-texts.ts'

// A text that a translation lacks is English on the page. For the translations that ship, the type check of this file reports it.
test('every translation that ships has every text of the server, according to the type check', () => {
  expectTypeOf(arabic).toExtend<{ server: Source<ServerTexts> }>()
  expectTypeOf(german).toExtend<{ server: Source<ServerTexts> }>()
  expectTypeOf(spanish).toExtend<{ server: Source<ServerTexts> }>()
  expectTypeOf(french).toExtend<{ server: Source<ServerTexts> }>()
  expectTypeOf(japanese).toExtend<{ server: Source<ServerTexts> }>()
  expectTypeOf(portuguese).toExtend<{ server: Source<ServerTexts> }>()
  expectTypeOf(ukrainian).toExtend<{ server: Source<ServerTexts> }>()
  expectTypeOf(chinese).toExtend<{ server: Source<ServerTexts> }>()
})
