import { test } from './protecting.ts'
import { testRecipe } from './protecting-journeys.ts'

test.use({ front: 'nginx' })
testRecipe('nginx')
