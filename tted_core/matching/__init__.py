"""Two trees and the distances of their texts: which sentences correspond, and the status of each."""
