// The styles of the mailbox, and of the parts it stands on; it has no script.
import '../sign-in-area/main.tsx'
import './mailbox.css'
