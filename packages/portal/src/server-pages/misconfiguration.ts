// The styles of the page that names what is set up wrong, and of the parts it stands on; it has no script.
import '../sign-in-area/main.tsx'
import './misconfiguration.css'
