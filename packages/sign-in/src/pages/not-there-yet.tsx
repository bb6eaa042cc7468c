import type { Messages } from '../messages/messages.ts'
import { Button } from '../ui/button.tsx'
import { Statement } from '../ui/card.tsx'

/** Holds the place of pages to come. */
export const NotThereYetPage = ({ words, back }: { words: Messages['notThereYet']; back: () => void }) => (
  <Statement title={words.title} focused actions={<Button onClick={back}>{words.back}</Button>}>
    <p>{words.text}</p>
  </Statement>
)
