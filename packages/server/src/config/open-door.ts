import { isOrigin } from './value-formats.ts'

type Variable = 'GATEHOUSE_OPEN_DOOR_ALARM' | 'GATEHOUSE_RULES' | 'GATEHOUSE_PROTECTED_ORIGINS'
type Reader = { read: (name: Variable) => string | undefined; problem: (name: Variable, sentence: string) => void }

/**
 * Reads which origins the open-door alarm checks.
 * @param protectedOrigins the origins in GATEHOUSE_PROTECTED_ORIGINS, which must contain every chosen origin. With a rules file there is no
 * such check, because that file can change while the server runs
 * @returns undefined if the alarm is off
 */
export const readOpenDoorAlarm = (
  reader: Reader,
  protectedOrigins: readonly { origin: string }[],
): 'all' | readonly string[] | undefined => {
  const text = reader.read('GATEHOUSE_OPEN_DOOR_ALARM') ?? 'off'
  if (text === 'off') return undefined
  const problem = (sentence: string) => reader.problem('GATEHOUSE_OPEN_DOOR_ALARM', sentence)
  const hasRules = reader.read('GATEHOUSE_RULES') !== undefined
  if (!hasRules && reader.read('GATEHOUSE_PROTECTED_ORIGINS') === undefined)
    problem(' has no effect unless GATEHOUSE_PROTECTED_ORIGINS or GATEHOUSE_RULES names an origin')
  if (text === 'on') return 'all'
  const chosen = text.split(',').map(item => item.trim())
  if (!chosen.every(isOrigin)) problem(' must be on, off, or origins like https://grafana.example.com, separated by commas')
  else if (!hasRules)
    for (const origin of chosen)
      if (!protectedOrigins.some(one => one.origin === origin)) problem(`: GATEHOUSE_PROTECTED_ORIGINS does not name ${origin}`)
  return chosen
}
