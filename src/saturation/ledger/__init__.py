"""What the papers print beside what comes out here."""
